import { DomainError } from '#kernel';

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'access_denied';

/** A refusal in the form of OAuth: `error` and `error_description` (RFC 6749 section 5.2). */
export class OAuthError extends DomainError {
  constructor(
    readonly error: OAuthErrorCode,
    description: string,
  ) {
    super(error === 'invalid_client' ? 'unauthenticated' : 'invalid', error, description);
  }
}
