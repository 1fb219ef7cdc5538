import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api, type Schema } from './client';
import { credentials } from './credentials';
import { ApiError } from './error';

export type Session = Schema<'MeResponse'>;
export type SessionTeam = Session['teams'][number];
export type Role = SessionTeam['role'];

async function readSession(): Promise<Session | null> {
  try {
    return await answer(api.GET('/me'));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 });

export function useSession(): Session | null {
  return useQuery(sessionQuery).data ?? null;
}

/** The chosen team: the one in local storage if the user is still a member of it, otherwise the first. */
export function teamOf(session: Session | null): SessionTeam | null {
  const chosen = session?.teams.find(({ id }) => id === credentials.team) ?? session?.teams[0] ?? null;
  if (chosen !== null && chosen.id !== credentials.team) credentials.team = chosen.id;
  return chosen;
}

export function useTeam(): SessionTeam | null {
  return teamOf(useSession());
}

/** Whether the user has this permission in the team. Only what is shown depends on it: the server decides. */
export function useMay(permission: string): boolean {
  return useTeam()?.permissions.includes(permission) ?? false;
}
