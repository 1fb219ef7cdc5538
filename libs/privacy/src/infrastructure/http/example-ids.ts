/** Ids in the examples of the API's description. */

export const erasureId = '0193a1f9-6b7c-7d8e-9f9a-0b1c2d3e4f5a';
