import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client';

/** The styles of the team: what it has set, and everything that follows from it. */
export const editorStylesQuery = queryOptions({
  queryKey: ['editor-styles'],
  queryFn: () => answer(api.GET('/editor/styles')),
});
