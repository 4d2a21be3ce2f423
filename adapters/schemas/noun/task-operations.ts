import type { ErrorCode } from '../../../core/kernel/errors.ts';
import { Type } from 'typebox';
import { operation } from '../operation.ts';
import { ListTasks } from './task-filters.ts';
import {
  CreateTask,
  CreateTasks,
  GetTask,
  Task,
  TaskAddress,
  TaskAssignee,
  TaskSummary,
  TaskTag,
  UpdateTask,
} from './task.ts';

const BASE = '/api/workspace/{workspaceId}/task';

/** What the creation of a task can be refused with, alone or in a batch. */
const CREATION_CODES: readonly ErrorCode[] = [
  'being-removed',
  'board-without-status',
  'column-crowded',
  'external-id-taken',
  'page-has-content',
  'quota-exceeded',
  'unusable-reference',
];

export const taskOperations = [
  operation('tasks.list', {
    method: 'GET',
    path: BASE,
    tag: 'Tasks',
    summary: 'List the tasks that the caller sees',
    description:
      'Filters of different names are joined by AND, values of one by OR; `exclude` and the name of a filter finds the others. What the caller may not see is neither listed nor counted.',
    input: ListTasks,
    output: TaskSummary,
    paged: true,
    forEverybody: true,
  }),
  operation('tasks.create', {
    method: 'POST',
    path: BASE,
    tag: 'Tasks',
    summary: 'Create a task',
    description: 'Takes Editing on the board. Without a status it goes to the first one, behind the last task there.',
    input: CreateTask,
    output: Task,
    codes: CREATION_CODES,
    status: 201,
    location: `${BASE}/{id}`,
  }),
  operation('tasks.createMany', {
    method: 'POST',
    path: '/api/workspace/{id}/task/batch',
    tag: 'Tasks',
    summary: 'Create up to 1,000 tasks, all or none',
    description:
      'Takes Editing on their boards. They are made in the order of the list, and if one is refused none is.',
    input: CreateTasks,
    output: Type.Array(Task),
    codes: CREATION_CODES,
    status: 201,
    location: BASE,
  }),
  operation('tasks.get', {
    method: 'GET',
    path: `${BASE}/{taskId}`,
    tag: 'Tasks',
    summary: 'Read a task with its comments',
    description: 'For members who see its board or its page. If they see only its page, status and board are null.',
    input: GetTask,
    output: Task,
    forEverybody: true,
  }),
  operation('tasks.update', {
    method: 'PUT',
    path: `${BASE}/{taskId}`,
    tag: 'Tasks',
    summary: 'Change or move a task',
    description:
      'Takes Editing, on both boards for a move to another one; tags are then found by their names. To move into a status that is done completes the task, to move out of it reopens it.',
    input: UpdateTask,
    output: Task,
    codes: ['being-removed', 'board-without-status', 'column-crowded', 'external-id-taken', 'unusable-reference'],
    conditional: true,
  }),
  operation('tasks.delete', {
    method: 'DELETE',
    path: `${BASE}/{taskId}`,
    tag: 'Tasks',
    summary: 'Delete a task',
    description: 'Its page and all nested under that go with it.',
    input: TaskAddress,
    output: null,
    codes: ['hidden-content'],
    conditional: true,
  }),
  operation('tasks.addTag', {
    method: 'POST',
    path: `${BASE}/{taskId}/tag`,
    tag: 'Tasks',
    summary: 'Add a tag to a task',
    description: 'Takes Editing. Does nothing when the task has the tag already.',
    input: TaskTag,
    output: Task,
    codes: ['being-removed', 'unusable-reference'],
    conditional: true,
  }),
  operation('tasks.removeTag', {
    method: 'DELETE',
    path: `${BASE}/{taskId}/tag/{tagId}`,
    tag: 'Tasks',
    summary: 'Take a tag off a task',
    description: 'Takes Editing.',
    input: TaskTag,
    output: null,
    conditional: true,
  }),
  operation('tasks.assign', {
    method: 'POST',
    path: `${BASE}/{taskId}/assignee`,
    tag: 'Tasks',
    summary: 'Assign a task to a member',
    description: 'Takes Editing, and a member who sees the task. Does nothing when they have it already.',
    input: TaskAssignee,
    output: Task,
    codes: ['unusable-reference'],
    conditional: true,
  }),
  operation('tasks.unassign', {
    method: 'DELETE',
    path: `${BASE}/{taskId}/assignee/{memberId}`,
    tag: 'Tasks',
    summary: 'Take a task off a member',
    description: 'Takes Editing.',
    input: TaskAssignee,
    output: null,
    conditional: true,
  }),
];
