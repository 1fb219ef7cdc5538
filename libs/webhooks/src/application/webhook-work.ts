/** The topic of wake-ups. The triggers that make messages send to it as well. The payload is the id of a webhook. */
export const webhookWork = 'webhook-work';
