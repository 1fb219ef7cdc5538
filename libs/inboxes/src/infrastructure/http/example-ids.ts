/** Values in the examples of the API's description. */

export const inboxAddress = 'support@acme.example';
export const inboxId = '0193a1f6-0b7e-7d25-9c48-15d0b8e6f3a7';
export const domainId = '0193a1f6-0b7e-7d25-9c48-2ac7e94b60d1';
export const threadId = '0193a1f6-0b7e-7d25-9c48-3f7a90d1c2b4';
export const emailId = '0193a1f6-0b7e-7d25-9c48-6b2e41f8d073';
export const labelId = '0193a1f6-0b7e-7d25-9c48-90c5d7e3a1f2';
export const attachmentId = '0193a1f6-0b7e-7d25-9c48-c41e8f02b7d9';
export const draftId = '0193a1f6-0b7e-7d25-9c48-3c1d5e7f9a2b';
export const sentId = '0193a1f6-0b7e-7d25-9c48-6f4081a2cd5e';
