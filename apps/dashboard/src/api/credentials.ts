const teamKey = 'postrider.team';

const teamListeners = new Set<() => void>();
// Each tab stays with its own team; a new tab begins with the one that was chosen last.
let team = sessionStorage.getItem(teamKey) ?? localStorage.getItem(teamKey);
if (team !== null) sessionStorage.setItem(teamKey, team);
let onRefused: () => void = () => undefined;

/** What each request says about who asks: the session is a cookie that scripts cannot read, the team is a header. */
export const credentials = {
  get team(): string | null {
    return team;
  },
  set team(id: string) {
    team = id;
    sessionStorage.setItem(teamKey, id);
    localStorage.setItem(teamKey, id);
    for (const listener of [...teamListeners]) listener();
  },
  /** Calls the listener after another team is chosen, until the returned function is called. */
  onTeam: (listener: () => void): (() => void) => {
    teamListeners.add(listener);
    return () => teamListeners.delete(listener);
  },
  addTo(headers: Headers): void {
    // No form and no link of another site can set a header.
    headers.set('x-requested-with', 'postrider');
    if (team !== null && !headers.has('x-team')) headers.set('x-team', team);
  },
  /** A 401 of the API means that the session has ended. One of a sign-in means that the password was wrong. */
  refused(path: string): void {
    if (!path.startsWith('/auth/') && path !== '/me') onRefused();
  },
  onRefused(listener: () => void): void {
    onRefused = listener;
  },
};
