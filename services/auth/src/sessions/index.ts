export { SessionsModule } from './sessions.module.ts';
export { SessionsService, type StartedSession } from './sessions.service.ts';
