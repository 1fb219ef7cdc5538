export const inboxLink = (token: string): string => `/sandbox?${new URLSearchParams({ token }).toString()}`;

export const olderLink = (token: string, after: string): string =>
  `/sandbox?${new URLSearchParams({ token, after }).toString()}`;

export const messageLink = (token: string, id: string, part: '' | '/html' | '/raw' = ''): string =>
  `/sandbox/inbox/${id}${part}?${new URLSearchParams({ token }).toString()}`;
