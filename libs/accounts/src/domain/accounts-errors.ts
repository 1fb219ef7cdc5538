import { DomainError, NotFoundError } from '#kernel';

export class SessionEndedError extends DomainError {
  constructor() {
    super('unauthenticated', 'session_ended', 'You are not signed in, or your session has ended. Sign in again.');
  }
}

/** A page of another site made the browser send the request. */
export class CrossSiteRequestError extends DomainError {
  constructor() {
    super('forbidden', 'cross_site_request', 'With a session, requests are only accepted from pages of this service.');
  }
}

export class MissingTeamError extends DomainError {
  constructor() {
    super('invalid', 'missing_team', 'With a session, the header `X-Team` must name one of your teams by its id.');
  }
}

/** The team does not exist, or the user is not in it: the answer is the same. */
export class UnknownTeamError extends NotFoundError {
  constructor() {
    super('Team');
  }
}

export class StepUpRequiredError extends DomainError {
  constructor() {
    super(
      'forbidden',
      'step_up_required',
      'Confirm who you are first: enter your password or a code, or sign in again. This is asked before dangerous actions.',
    );
  }
}

export class PasswordSignInOffError extends DomainError {
  constructor() {
    super(
      'forbidden',
      'password_sign_in_off',
      'People with this address do not use a password here. Sign in with a provider that the sign-in page shows, or with a passkey.',
    );
  }
}
