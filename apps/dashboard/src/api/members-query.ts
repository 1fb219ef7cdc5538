import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './client';

/** The newest members of the chosen team. */
export const membersQuery = queryOptions({
  queryKey: ['team', 'members'],
  queryFn: async () => (await answer(api.GET('/team/members', { params: { query: { limit: 100 } } }))).data,
});
