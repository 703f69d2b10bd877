import { Module } from '@nestjs/common';
import { UsersModule } from '../users/index.ts';
import { SessionsController } from './sessions.controller.ts';
import { SessionsRepository } from './sessions.repository.ts';
import { SessionsService } from './sessions.service.ts';
import { SignInService } from './sign-in.service.ts';

@Module({
  imports: [UsersModule],
  controllers: [SessionsController],
  providers: [SessionsService, SignInService, SessionsRepository],
  exports: [SessionsService],
})
export class SessionsModule {}
