/**
 * Parts of the names of fields whose values let somebody in. test/integration/secrets-in-logs compares them with every
 * route.
 */
const secretName = /token|secret|password|private|authorization|cookie|recovery|backup_code|signature|api_key$/i;
const secretParameter = /([?&#](?:token|signature|secret|password|api_key)=)[^&#\s"'<>\\]+/gi;

/** Whether the value of a field with this name must not be in a log. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** A text whose links let nobody in: without the signatures and tokens in their queries. */
export function withoutLinkSecrets(text: string): string {
  return text.includes('://') ? text.replace(secretParameter, '$1***') : text;
}
