export { hashPassword, verifyPassword } from './password-hash.ts';
export { isTooCommon } from './password.ts';
