import { useNavigate } from '@tanstack/react-router';
import { isConsent, safeNext } from '../../logic/safe-next';

/** Leads on after a sign-in: to a page of the dashboard, or to the question of a tool, which the server shows. */
export function useLeadOn(next: string | undefined): () => Promise<void> {
  const navigate = useNavigate();
  const target = safeNext(next);
  return async () => {
    if (isConsent(target)) location.assign(target);
    else await navigate({ to: target, replace: true });
  };
}
