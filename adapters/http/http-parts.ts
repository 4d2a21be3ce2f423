import type { Engine } from '../../core/engine.ts';
import type { Metrics } from '../metrics/index.ts';
import type { LargeAnswers } from './limits/large-answers.ts';
import type { ServiceLimits } from './limits/limits.ts';
import type { HttpOptions } from './options.ts';
import type { Authentication } from './request/authentication.ts';
import type { EventStreams } from './stream/event-streams.ts';

/** What the routes of one service share. */
export interface HttpParts {
  readonly options: HttpOptions;
  /** The engine, with validation of inputs and metrics. */
  readonly engine: Engine;
  readonly authentication: Authentication;
  readonly limits: ServiceLimits;
  readonly largeAnswers: LargeAnswers;
  readonly streams: EventStreams;
  readonly metrics: Metrics;
  /** Whether the service is about to close. */
  readonly isDraining: () => boolean;
}
