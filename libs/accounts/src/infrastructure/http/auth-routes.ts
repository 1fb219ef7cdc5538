/** The endpoints of better-auth that are reachable. Everything else of it answers 404. */
interface AuthRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Counted against the limits of the client's address and of the account that the body names. */
  readonly guesses?: true;
  /** Sends mail. */
  readonly mails?: true;
  /** Only within a while after signing in. */
  readonly isDangerous?: true;
  /** Opened by following a link from a mail or from another site, so without the headers of our pages. */
  readonly isLink?: true;
}

export const authRoutes: readonly AuthRoute[] = [
  { method: 'POST', path: '/sign-up/email', mails: true },
  { method: 'POST', path: '/sign-in/email', guesses: true },
  { method: 'POST', path: '/sign-in/social' },
  { method: 'GET', path: '/callback/:provider', isLink: true },
  { method: 'POST', path: '/sign-out' },
  { method: 'GET', path: '/get-session' },
  { method: 'GET', path: '/verify-email', isLink: true },
  { method: 'POST', path: '/send-verification-email', mails: true },
  { method: 'POST', path: '/request-password-reset', mails: true },
  { method: 'GET', path: '/reset-password/:token', isLink: true },
  { method: 'POST', path: '/reset-password', guesses: true },
  { method: 'POST', path: '/change-password', guesses: true },
  { method: 'POST', path: '/change-email', mails: true, isDangerous: true },
  { method: 'POST', path: '/update-user' },
  { method: 'GET', path: '/list-accounts' },
  { method: 'POST', path: '/link-social', isDangerous: true },
  { method: 'POST', path: '/unlink-account', isDangerous: true },
  { method: 'POST', path: '/two-factor/enable', guesses: true, isDangerous: true },
  { method: 'POST', path: '/two-factor/disable', guesses: true, isDangerous: true },
  { method: 'POST', path: '/two-factor/generate-backup-codes', guesses: true, isDangerous: true },
  { method: 'POST', path: '/two-factor/verify-totp', guesses: true },
  { method: 'POST', path: '/two-factor/verify-backup-code', guesses: true },
  { method: 'GET', path: '/passkey/generate-register-options', isDangerous: true },
  { method: 'POST', path: '/passkey/verify-registration', isDangerous: true },
  { method: 'GET', path: '/passkey/generate-authenticate-options' },
  { method: 'POST', path: '/passkey/verify-authentication', guesses: true },
  { method: 'GET', path: '/passkey/list-user-passkeys' },
  { method: 'POST', path: '/passkey/update-passkey' },
  { method: 'POST', path: '/passkey/delete-passkey', isDangerous: true },
];

export type { AuthRoute };
