import { Notice } from '#kernel';
import { disableAfterDays } from './endpoint-health.js';

export interface DisabledEndpoint {
  readonly id: string;
  readonly endpoint: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly failingSince: Date;
  /** HTTP status of the last call; 0 if there was no response. */
  readonly lastStatus: number;
}

/** The key is new each time the endpoint is disabled. The path and query of the URL may be secret and are left out. */
export function disabledNotice({ id, endpoint, failingSince, ...rest }: DisabledEndpoint): Notice {
  const { host, origin } = new URL(endpoint);
  return {
    key: `webhook-disabled:${id}:${failingSince.toISOString()}`,
    subject: `Postrider disabled a webhook endpoint at ${host}`,
    text: [
      `Every call of a webhook endpoint has failed for ${disableAfterDays} days, so it was disabled. Its events are kept for a month.`,
      [
        `Endpoint: ${origin}`,
        `Webhook: ${id}`,
        `Team: ${rest.teamName} (${rest.teamId})`,
        `Failing since: ${failingSince.toISOString()}`,
        `Last response: ${rest.lastStatus === 0 ? 'none' : `HTTP status ${rest.lastStatus}`}`,
      ].join('\n'),
      `When it works again, enable it: PATCH /webhooks/${id} with {"status": "enabled"}. The events that it missed are sent then.`,
    ].join('\n\n'),
  };
}
