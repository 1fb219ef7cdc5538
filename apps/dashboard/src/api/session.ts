import { queryOptions, useQuery } from '@tanstack/react-query';
import { request } from './client';
import { credentials, developmentKey } from './credentials';
import { ApiError } from './error';

export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

export interface SessionTeam {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

export interface Session {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly teams: readonly SessionTeam[];
  /** The owner of the installation, who sees the machine room. */
  readonly operator: boolean;
}

async function readSession(): Promise<Session | null> {
  if (import.meta.env.DEV && developmentKey !== null) {
    const team: SessionTeam = { id: 'development', name: 'Development', role: 'owner' };
    return { user: { id: 'key', name: 'API key', email: 'developer@localhost' }, teams: [team], operator: true };
  }
  try {
    return await request<Session>('/account/session');
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 404)) return null;
    throw error;
  }
}

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 });

export function useSession(): Session | null {
  return useQuery(sessionQuery).data ?? null;
}

/** The chosen team: the one in local storage where the user is still a member of it, otherwise the first. */
export function teamOf(session: Session | null): SessionTeam | null {
  const chosen = session?.teams.find(({ id }) => id === credentials.team) ?? session?.teams[0] ?? null;
  if (chosen !== null && chosen.id !== credentials.team) credentials.team = chosen.id;
  return chosen;
}

export function useTeam(): SessionTeam | null {
  return teamOf(useSession());
}

const rank: Readonly<Record<Role, number>> = { viewer: 0, developer: 1, admin: 2, owner: 3 };

/** Whether the user has at least this role in the team. Only what is shown depends on it: the server decides. */
export function useMay(role: Role): boolean {
  const team = useTeam();
  return team !== null && rank[team.role] >= rank[role];
}
