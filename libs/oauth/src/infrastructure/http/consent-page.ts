import { escapedHtml } from '#kernel';
import type { AuthorizationRequest } from '../../application/tool-access.js';

export interface ConsentPage {
  readonly request: AuthorizationRequest;
  readonly user: { readonly email: string };
  readonly teams: readonly { readonly teamId: string; readonly teamName: string; readonly role: string }[];
  /** The query with which the page was opened: the form sends it back. */
  readonly query: string;
  readonly nonce: string;
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:10vh auto;padding:0 1.25rem;color:#1a1d21;background:#fff}
h1{font-size:1.25rem}ul{padding-left:1.25rem}code{font-size:.9em}select,button{font:inherit;padding:.5rem .75rem;border:1px solid #868e96;border-radius:.4rem;background:#fff;color:inherit}
select{width:100%;margin:.25rem 0 1.25rem}button[value=allow]{background:#1c5fb0;border-color:#1c5fb0;color:#fff}button{margin-right:.5rem}.to{overflow-wrap:anywhere;color:#495057}
@media (prefers-color-scheme:dark){body{background:#16181b;color:#e9ecef}select,button{background:#22262a}.to{color:#adb5bd}}`;

/** A page without scripts: it asks the user whether a tool may act in one of their teams. */
export function consentPage({ request, user, teams, query, nonce }: ConsentPage): string {
  const { client, scopes, redirectUri } = request;
  const options = teams.map(
    ({ teamId, teamName, role }) =>
      `<option value="${escapedHtml(teamId)}">${escapedHtml(teamName)} (${escapedHtml(role)})</option>`,
  );
  const what = scopes.map((scope) => `<li>${escapedHtml(meaningOf(scope))}</li>`);
  return document(
    `Allow ${client.name}?`,
    `<h1>Allow <q>${escapedHtml(client.name)}</q> to act for you?</h1>
<p>You are signed in as ${escapedHtml(user.email)}. The tool chose this name itself. It never gets more than your own role allows:</p>
<ul>${what.join('')}</ul>
<form method="post" action="/oauth/consent">
<input type="hidden" name="query" value="${escapedHtml(query)}">
<label for="team">Team</label>
<select id="team" name="team">${options.join('')}</select>
<button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button>
</form>
<p class="to">You will be sent to <code>${escapedHtml(new URL(redirectUri).origin === 'null' ? redirectUri : new URL(redirectUri).origin)}</code>. You can disconnect the tool at any time in the settings.</p>`,
    nonce,
  );
}

/** `back`: where the tool learns of it. */
export function refusalPage(message: string, nonce: string, back?: URL): string {
  const link =
    back === undefined
      ? ''
      : `<p class="to"><a rel="noreferrer" href="${escapedHtml(String(back))}">Back to ${escapedHtml(back.host)}</a></p>`;
  return document('Something is wrong', `<h1>Something is wrong</h1><p>${escapedHtml(message)}</p>${link}`, nonce);
}

function document(title: string, body: string, nonce: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapedHtml(title)}</title><style nonce="${nonce}">${style}</style></head><body><main>${body}</main></body></html>
`;
}

function meaningOf(scope: string): string {
  switch (scope) {
    case 'full_access':
      return 'everything you can do in the team';
    case 'sending_access':
      return 'send emails';
    default:
      return scope.replace(':', ': ');
  }
}
