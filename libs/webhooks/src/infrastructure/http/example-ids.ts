/** Ids in the examples of the API's description. */

export const webhookId = '0193a1f1-c6f4-7e19-a0d3-8b52e94c7f16';
export const messageId = 'msg_0193a1f452f17b0d9e6a4c83d7a5f210';
