/** The token behind `#`, which no server and no log has seen. It is taken out of the address, so that it is not in the history. */
export function takenFragment(): string {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return token !== '' ? token : (remembered ?? '');
}

// React calls the initial state twice while developing.
const remembered: string | undefined = location.hash.slice(1) || undefined;
