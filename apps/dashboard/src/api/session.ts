import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { answer, api, type Schema } from './client';
import { credentials } from './credentials';
import { ApiError } from './error';

export type Session = Schema<'MeResponse'>;
export type SessionTeam = Session['teams'][number];
export type Role = SessionTeam['role'];

async function readSession(): Promise<Session | null> {
  try {
    const session = await answer(api.GET('/me'));
    settleTeam(session);
    return session;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Chooses the first team if the user is not a member of the chosen one. Requests name the team, so it is chosen before them. */
function settleTeam({ teams }: Session): void {
  const [first] = teams;
  if (first !== undefined && !teams.some(({ id }) => id === credentials.team)) credentials.team = first.id;
}

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 });

export function useSession(): Session | null {
  return useQuery(sessionQuery).data ?? null;
}

/** The chosen team. */
export function useTeam(): SessionTeam | null {
  const session = useSession();
  const chosen = useSyncExternalStore(credentials.onTeam, () => credentials.team);
  return session?.teams.find(({ id }) => id === chosen) ?? session?.teams[0] ?? null;
}

/** Whether the user has this permission in the team. Only what is shown depends on it: the server decides. */
export function useMay(permission: string): boolean {
  return useTeam()?.permissions.includes(permission) ?? false;
}
