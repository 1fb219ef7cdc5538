export const imageId = '0193a1f9-4b7e-7d25-9c48-d1c5f7306b2f';
