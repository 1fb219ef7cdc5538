import { useNavigate } from '@tanstack/react-router';
import { request } from '../api/client';
import { queryClient } from '../api/query-client';
import { sessionQuery } from '../api/session';
import { sayError } from '../parts/say';

export function useSignOut(): () => void {
  const navigate = useNavigate();
  return () =>
    void request('/auth/sign-out', { method: 'POST', body: {} }).then(() => {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, null);
      return navigate({ to: '/app/sign-in', search: {} });
    }, sayError);
}
