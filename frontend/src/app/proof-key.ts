/** Under which the secret of a link that proves an address is kept in the tab while one signs in. */
export const proofKey = 'parley.address-proof';
