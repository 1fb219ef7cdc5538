import { Notice } from '#kernel';
import { disableAfterDays } from './endpoint-health.js';

export interface DisabledEndpoint {
  readonly id: string;
  readonly endpoint: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly failingSince: Date;
  /** HTTP status of the last call; 0: there was no answer. */
  readonly lastStatus: number;
}

/** Once for each time that an endpoint is disabled. Path and query of its URL may be a secret, and stay away. */
export function disabledNotice({ id, endpoint, failingSince, ...of }: DisabledEndpoint): Notice {
  const { host, origin } = new URL(endpoint);
  return {
    key: `webhook-disabled:${id}:${failingSince.toISOString()}`,
    subject: `Postrider disabled a webhook endpoint at ${host}`,
    text: [
      `Every call of a webhook endpoint has failed for ${disableAfterDays} days, so it was disabled. Its events are kept for a month.`,
      [
        `Endpoint: ${origin}`,
        `Webhook: ${id}`,
        `Team: ${of.teamName} (${of.teamId})`,
        `Failing since: ${failingSince.toISOString()}`,
        `Last answer: ${of.lastStatus === 0 ? 'none' : `HTTP status ${of.lastStatus}`}`,
      ].join('\n'),
      `When it works again, enable it: PATCH /webhooks/${id} with {"status": "enabled"}. What it missed is sent then.`,
    ].join('\n\n'),
  };
}
