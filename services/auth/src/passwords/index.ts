export { hashPassword, verifyPassword } from './password-hash.ts';
export { isTooCommon, type PasswordOwner } from './password.ts';
