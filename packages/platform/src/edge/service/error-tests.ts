import { Controller, Injectable, type Type } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import {
  errorTested,
  type failInAuth,
  type failInBilling,
  type failInChat,
  type failInMonitoring,
  type failInOrg,
} from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { ErrorTest } from '../../ports/reporter/index.ts';
import { feature } from './feature.ts';
import type { InputOf } from './route.ts';

type Failure =
  | typeof failInAuth
  | typeof failInOrg
  | typeof failInChat
  | typeof failInBilling
  | typeof failInMonitoring;

/** Causes errors for the page of error tests (route and consumer): while responding, or while handling an event. */
export function errorTests(fail: Failure): Type {
  @Injectable()
  class ErrorTests {
    fail({ params }: InputOf<Failure>): void {
      throw new ErrorTest(params.errorTestId);
    }
  }

  @Controller()
  class ErrorTestConsumer {
    @EventPattern<string>(errorTested.type, { consumer: 'error-test' })
    async failAt(@Payload() { data }: EventEnvelope<DataOf<typeof errorTested>>): Promise<void> {
      if (data.kind === `${fail.service}.event`) throw new ErrorTest(data.errorTestId);
    }
  }

  return feature({ routes: { fail }, handlers: ErrorTests, consumers: [ErrorTestConsumer] });
}
