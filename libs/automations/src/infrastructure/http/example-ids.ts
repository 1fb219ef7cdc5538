/** Ids in the examples of the API's description. */

export const eventId = '0193a1f6-0b7e-7d25-9c48-0a1b2c3d4e5f';
export const automationId = '0193a1f6-0b7e-7d25-9c48-1a2b3c4d5e6f';
export const copyId = '0193a1f6-2c11-7a0d-8e31-2a3b4c5d6e7f';
export const runId = '0193a1f6-0b7e-7d26-8b07-3a4b5c6d7e8f';
export const contactId = '0193a1f6-0b7e-7d26-8b07-c3d4e5f60718';
