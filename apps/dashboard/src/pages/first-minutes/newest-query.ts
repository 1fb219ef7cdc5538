import { answer, api } from '../../api/client';

/** The newest email of the team. */
export const newestQuery = {
  queryKey: ['emails', 'newest'],
  queryFn: () => answer(api.GET('/emails', { params: { query: { limit: 1 } } })),
};
