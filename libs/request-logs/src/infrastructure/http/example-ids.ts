/** Ids in the examples of the API's description. */

export const logId = '0193a1f4-52e9-7a60-83d1-4be27c9f1a08';
