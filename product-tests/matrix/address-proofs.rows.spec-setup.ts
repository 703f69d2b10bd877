import { addressProofRoutes } from '@parley/contracts';
import { plain, rowsFor } from './rows.spec-setup.ts';

export const addressProofRows = rowsFor(addressProofRoutes, {
  requestAddressProof: plain,
  // No link is guessed; `address-proofs.spec.ts` has real ones.
  proveAddress: { refused: 410, request: () => ({ body: { token: 'a'.repeat(43) } }) },
});
