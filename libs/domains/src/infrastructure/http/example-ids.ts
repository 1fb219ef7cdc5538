/** Ids in the examples of the API's description. */

export const claimedDomainId = '0193a203-4e8a-7c67-8b1d-f5093da2e764';
export const domainId = '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57';
