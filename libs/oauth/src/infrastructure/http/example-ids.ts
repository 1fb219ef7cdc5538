/** Ids in the examples of the API's description. */

export const grantId = '0196f3a1-ad5f-7a7c-9b55-6d8c2e1f9a04';
