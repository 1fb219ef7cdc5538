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
  /** Recorded in the audit log of the installation under this name where it succeeds. */
  readonly action?: string;
  /** Opened by following a link from a mail or from another site, so without the headers of our pages. */
  readonly isLink?: true;
}

export const authRoutes: readonly AuthRoute[] = [
  { method: 'POST', path: '/sign-up/email', mails: true },
  { method: 'POST', path: '/sign-in/email', action: 'account.sign_in', guesses: true },
  { method: 'POST', path: '/sign-in/social' },
  { method: 'GET', path: '/callback/:provider', isLink: true },
  { method: 'POST', path: '/sign-out' },
  { method: 'GET', path: '/get-session' },
  { method: 'GET', path: '/verify-email', isLink: true },
  { method: 'POST', path: '/send-verification-email', mails: true },
  { method: 'POST', path: '/request-password-reset', mails: true },
  { method: 'GET', path: '/reset-password/:token', isLink: true },
  { method: 'POST', path: '/reset-password', action: 'account.password.reset', guesses: true },
  { method: 'POST', path: '/change-password', action: 'account.password.change', guesses: true },
  { method: 'POST', path: '/change-email', action: 'account.email.change', mails: true, isDangerous: true },
  { method: 'POST', path: '/update-user' },
  { method: 'GET', path: '/list-accounts' },
  { method: 'POST', path: '/link-social', action: 'account.provider.link', isDangerous: true },
  { method: 'POST', path: '/unlink-account', action: 'account.provider.unlink', isDangerous: true },
  {
    method: 'POST',
    path: '/two-factor/enable',
    action: 'account.second_factor.enable',
    guesses: true,
    isDangerous: true,
  },
  {
    method: 'POST',
    path: '/two-factor/disable',
    action: 'account.second_factor.disable',
    guesses: true,
    isDangerous: true,
  },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    action: 'account.recovery_codes.create',
    guesses: true,
    isDangerous: true,
  },
  { method: 'POST', path: '/two-factor/verify-totp', action: 'account.second_factor.use', guesses: true },
  { method: 'POST', path: '/two-factor/verify-backup-code', action: 'account.recovery_code.use', guesses: true },
  { method: 'GET', path: '/passkey/generate-register-options', isDangerous: true },
  { method: 'POST', path: '/passkey/verify-registration', action: 'account.passkey.create', isDangerous: true },
  { method: 'GET', path: '/passkey/generate-authenticate-options' },
  { method: 'POST', path: '/passkey/verify-authentication', action: 'account.sign_in', guesses: true },
  { method: 'GET', path: '/passkey/list-user-passkeys' },
  { method: 'POST', path: '/passkey/update-passkey' },
  { method: 'POST', path: '/passkey/delete-passkey', action: 'account.passkey.delete', isDangerous: true },
];

export type { AuthRoute };
