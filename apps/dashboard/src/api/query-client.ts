import { QueryClient } from '@tanstack/react-query';
import { asApiError } from './error';

/** A refusal is final. What the server could not answer at the moment is asked for again twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => {
        const { status } = asApiError(error);
        return failures < 2 && (status === 0 || status === 429 || status >= 500);
      },
    },
    mutations: { retry: false },
  },
});
