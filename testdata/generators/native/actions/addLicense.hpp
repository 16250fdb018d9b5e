// SPDX-License-Identifier: {{license}}
