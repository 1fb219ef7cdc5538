import { useNavigate } from '@tanstack/react-router';
import { request } from '../api/client';
import { queryClient } from '../api/query-client';
import { sessionQuery } from '../api/session';
import { keptEmails } from '../logic/written-email';
import { sayError } from '../parts/say';

export function useSignOut(): () => void {
  const navigate = useNavigate();
  return () =>
    void request('/auth/sign-out', { method: 'POST', body: {} }).then(() => {
      queryClient.clear();
      // The next person at this computer must not see an unfinished email.
      for (const key of Object.keys(localStorage)) if (key.startsWith(keptEmails)) localStorage.removeItem(key);
      queryClient.setQueryData(sessionQuery.queryKey, null);
      return navigate({ to: '/app/sign-in', search: {} });
    }, sayError);
}
