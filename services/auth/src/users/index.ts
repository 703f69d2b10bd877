export { toMe, type User } from './user.ts';
export { UsersModule } from './users.module.ts';
export { UsersRepository } from './users.repository.ts';
export { userRows } from './user.collection.ts';
