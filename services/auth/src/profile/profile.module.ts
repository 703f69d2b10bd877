import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/index.ts';
import { UsersModule } from '../users/index.ts';
import { ProfileController } from './profile.controller.ts';
import { ProfileService } from './profile.service.ts';

@Module({ imports: [UsersModule, SessionsModule], controllers: [ProfileController], providers: [ProfileService] })
export class ProfileModule {}
