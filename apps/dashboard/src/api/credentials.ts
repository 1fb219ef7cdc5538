const teamKey = 'postrider.team';

let onRefused: () => void = () => undefined;

/** What each request says about who asks: the session is a cookie that scripts cannot read, the team is a header. */
export const credentials = {
  get team(): string | null {
    return localStorage.getItem(teamKey);
  },
  set team(id: string | null) {
    if (id === null) localStorage.removeItem(teamKey);
    else localStorage.setItem(teamKey, id);
  },
  addTo(headers: Headers): void {
    // No form and no link of another site can set a header.
    headers.set('x-requested-with', 'postrider');
    const { team } = credentials;
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
