/** Ids in the examples of the API's description. */

export const propertyId = '0193a1f6-4f5a-7b6c-9d7e-8f9a0b1c2d3e';
export const contactId = '0193a1f6-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
export const segmentId = '0193a1f6-2d3e-7f4a-9b5c-6d7e8f9a0b1c';
export const topicId = '0193a1f6-3e4f-7a5b-8c6d-7e8f9a0b1c2d';
