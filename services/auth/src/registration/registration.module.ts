import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/index.ts';
import { UsersModule } from '../users/index.ts';
import { RegistrationController } from './registration.controller.ts';
import { RegistrationService } from './registration.service.ts';

@Module({
  imports: [UsersModule, SessionsModule],
  controllers: [RegistrationController],
  providers: [RegistrationService],
})
export class RegistrationModule {}
