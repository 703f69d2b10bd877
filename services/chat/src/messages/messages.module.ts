import { Module } from '@nestjs/common';
import { ConversationsModule } from '../conversations/index.ts';
import { GenerationsRepository } from './generations.repository.ts';
import { MessagesController } from './messages.controller.ts';
import { MessagesRepository } from './messages.repository.ts';
import { MessagesService } from './messages.service.ts';

@Module({
  imports: [ConversationsModule],
  controllers: [MessagesController],
  providers: [MessagesService, MessagesRepository, GenerationsRepository],
  exports: [MessagesService, MessagesRepository, GenerationsRepository],
})
export class MessagesModule {}
