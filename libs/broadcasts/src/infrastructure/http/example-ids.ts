/** Ids in the examples of the API's description. */

export const broadcastId = '0193a1f6-0b7e-7d25-9c48-a1b2c3d4e5f6';
export const segmentId = '0193a1f6-2c11-7a0d-8e31-b2c3d4e5f607';
export const contactId = '0193a1f6-0b7e-7d26-8b07-c3d4e5f60718';
export const emailId = '0193a1f6-0b7e-7d27-8c18-d4e5f6071829';
export const copyId = '0193a1f6-2c11-7a0d-8e31-b2c3d4e5f618';
export const importId = '0193a1f6-2c11-7a0d-8e31-b2c3d4e5f629';
