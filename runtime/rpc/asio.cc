// SPDX-License-Identifier: Apache-2.0
//
// Asio's functions, compiled once instead of in every file that uses them
// (BOOST_ASIO_SEPARATE_COMPILATION).
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
