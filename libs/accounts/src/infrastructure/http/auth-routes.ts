/** `credential`: what a browser answers for a passkey. */
export type AuthField = 'text' | 'id' | 'flag' | 'credential';

/** The endpoints of better-auth that are reachable. Everything else of it answers 404. */
interface AuthRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The fields of the body. All others are dropped. */
  readonly fields?: Readonly<Record<string, AuthField>>;
  /** Counted against the limits of the client's address and of the account that the body names. */
  readonly guesses?: true;
  /** Sends mail. */
  readonly mails?: true;
  /** Stores a row for somebody who is not signed in. Counted against the limits of the client's address. */
  readonly storesVisit?: true;
  /**
   * The answer is the same for every address, and is sent before the work: neither it nor its time tells who has an
   * account.
   */
  readonly answersFirst?: true;
  /** Only within a while after signing in. */
  readonly isDangerous?: true;
  /** Recorded in the audit log of the installation under this name if it succeeds. */
  readonly action?: string;
  /** Opened by following a link from a mail or from another site, so without the headers of our pages. */
  readonly isLink?: true;
}

const social = {
  provider: 'text',
  callbackURL: 'text',
  errorCallbackURL: 'text',
  newUserCallbackURL: 'text',
  disableRedirect: 'flag',
} as const;

export const authRoutes: readonly AuthRoute[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    fields: { name: 'text', email: 'text', password: 'text', image: 'text', callbackURL: 'text' },
    mails: true,
  },
  {
    method: 'POST',
    path: '/sign-in/email',
    fields: { email: 'text', password: 'text', callbackURL: 'text', rememberMe: 'flag' },
    action: 'account.sign_in',
    guesses: true,
  },
  { method: 'POST', path: '/sign-in/social', fields: social, storesVisit: true },
  { method: 'GET', path: '/callback/:provider', isLink: true },
  { method: 'POST', path: '/sign-out' },
  { method: 'GET', path: '/get-session' },
  { method: 'GET', path: '/verify-email', isLink: true },
  {
    method: 'POST',
    path: '/send-verification-email',
    fields: { email: 'text', callbackURL: 'text' },
    mails: true,
    answersFirst: true,
  },
  {
    method: 'POST',
    path: '/request-password-reset',
    fields: { email: 'text', redirectTo: 'text' },
    mails: true,
    answersFirst: true,
  },
  { method: 'GET', path: '/reset-password/:token', isLink: true },
  {
    method: 'POST',
    path: '/reset-password',
    fields: { newPassword: 'text', token: 'text', keepTools: 'flag' },
    action: 'account.password.reset',
    guesses: true,
  },
  {
    method: 'POST',
    path: '/change-password',
    fields: { currentPassword: 'text', newPassword: 'text', revokeOtherSessions: 'flag', endTools: 'flag' },
    action: 'account.password.change',
    guesses: true,
  },
  {
    method: 'POST',
    path: '/change-email',
    fields: { newEmail: 'text', callbackURL: 'text' },
    action: 'account.email.change',
    mails: true,
    isDangerous: true,
  },
  { method: 'POST', path: '/update-user', fields: { name: 'text', image: 'text' } },
  { method: 'GET', path: '/list-accounts' },
  { method: 'POST', path: '/link-social', fields: social, action: 'account.provider.link', isDangerous: true },
  {
    method: 'POST',
    path: '/unlink-account',
    fields: { providerId: 'text', accountId: 'text' },
    action: 'account.provider.unlink',
    isDangerous: true,
  },
  {
    method: 'POST',
    path: '/two-factor/enable',
    fields: { password: 'text' },
    action: 'account.second_factor.enable',
    guesses: true,
    isDangerous: true,
  },
  {
    method: 'POST',
    path: '/two-factor/disable',
    fields: { password: 'text' },
    action: 'account.second_factor.disable',
    guesses: true,
    isDangerous: true,
  },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    fields: { password: 'text' },
    action: 'account.recovery_codes.create',
    guesses: true,
    isDangerous: true,
  },
  {
    method: 'POST',
    path: '/two-factor/verify-totp',
    fields: { code: 'text', trustDevice: 'flag' },
    action: 'account.second_factor.use',
    guesses: true,
  },
  {
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    fields: { code: 'text', trustDevice: 'flag', disableSession: 'flag' },
    action: 'account.recovery_code.use',
    guesses: true,
  },
  { method: 'GET', path: '/passkey/generate-register-options', isDangerous: true },
  {
    method: 'POST',
    path: '/passkey/verify-registration',
    fields: { response: 'credential', name: 'text' },
    action: 'account.passkey.create',
    isDangerous: true,
  },
  { method: 'GET', path: '/passkey/generate-authenticate-options', storesVisit: true },
  {
    method: 'POST',
    path: '/passkey/verify-authentication',
    fields: { response: 'credential' },
    action: 'account.sign_in',
    guesses: true,
  },
  { method: 'GET', path: '/passkey/list-user-passkeys' },
  { method: 'POST', path: '/passkey/update-passkey', fields: { id: 'id', name: 'text' } },
  {
    method: 'POST',
    path: '/passkey/delete-passkey',
    fields: { id: 'id' },
    action: 'account.passkey.delete',
    isDangerous: true,
  },
];

export type { AuthRoute };
