/** Ids in the examples of the API's description. */

export const addressId = '0193a1ee-8a11-7c52-9b1e-2d7f4a6c8e01';
export const poolId = '0193a1ee-8a12-7d63-8c2f-3e805b7d9f12';
export const useId = '0193a1ee-8a13-7e74-9d30-4f916c8ea023';
export const teamId = '0193a1ee-8a14-7f85-8e41-50a27d9fb134';
