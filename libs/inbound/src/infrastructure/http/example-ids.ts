/** Ids in the examples of the API's description. */

export const attachmentId = '0193a1f4-52e6-7d0a-8c5b-7d0a3c5b9f12';
export const receivedId = '0193a1f4-52e6-7c1e-9f0b-8e1f4c2d7b90';
export const threadId = '5f3c2b1a-9d8e-8c7b-8a69-584736251409';
