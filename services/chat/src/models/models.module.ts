import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/index.ts';
import { ModelsController } from './models.controller.ts';
import { ModelsService } from './models.service.ts';
import { Outbound } from './outbound.ts';
import { ProviderOffers } from './provider-offers.ts';
import { ProvidersController } from './providers.controller.ts';
import { ProvidersRepository } from './providers.repository.ts';
import { ProvidersService } from './providers.service.ts';

@Module({
  imports: [DocumentsModule],
  controllers: [ModelsController, ProvidersController],
  providers: [ModelsService, ProvidersService, ProvidersRepository, ProviderOffers, Outbound],
  exports: [ModelsService],
})
export class ModelsModule {}
