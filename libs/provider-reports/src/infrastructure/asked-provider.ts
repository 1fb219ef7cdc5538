import { OutboundHttp, OutboundHttpError, OutboundRequest } from '#http/outbound';
import { ProviderTrouble } from '../domain/provider-report.js';

const timeoutMs = 30_000;
const maxBytes = 4 * 1024 * 1024;

export interface ProviderAnswer {
  readonly status: number;
  readonly text: string;
}

/** Asks a provider, within limits. Throws ProviderTrouble if there is no answer. Its text has no URL, which may have a key in it. */
export async function askProvider(
  http: OutboundHttp,
  provider: string,
  request: Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body'>,
): Promise<ProviderAnswer> {
  try {
    // A redirect leads to a page to sign in at. Asking twice does nothing more than asking once.
    const asked = { ...request, owner: 'provider-reports', timeoutMs, maxBytes, maxRedirects: 0, repeatable: true };
    const { status, body } = await http.send(asked);
    return { status, text: body.toString('utf8') };
  } catch (error) {
    if (!(error instanceof OutboundHttpError)) throw error;
    throw new ProviderTrouble(`${provider} gave no answer that can be used: ${error.message}`);
  }
}
