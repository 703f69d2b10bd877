export { hashPassword, verifyPassword } from './password-hash.ts';
export { PasswordTurns } from './password-turns.ts';
export { isTooCommon, type PasswordOwner } from './password.ts';
