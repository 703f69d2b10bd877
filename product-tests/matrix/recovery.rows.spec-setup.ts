import { recoveryRoutes } from '@parley/contracts';
import { password } from '@parley/embedded/test-parley';
import { plain, rowsFor } from './rows.spec-setup.ts';

const token = 'a'.repeat(43);

export const recoveryRows = rowsFor(recoveryRoutes, {
  getRecovery: plain,
  requestPasswordReset: { request: () => ({ body: { email: 'nobody@lindmoor.example', locale: 'en' } }) },
  // No link is guessed; `recovery.spec.ts` has real ones.
  checkPasswordReset: { refused: 410, request: () => ({ body: { token } }) },
  resetPassword: { refused: 410, request: () => ({ body: { token, password } }) },
  changePassword: { endsSession: true, request: () => ({ body: { current: password, password } }) },
});
